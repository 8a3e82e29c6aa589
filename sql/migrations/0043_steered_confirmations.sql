-- Confirmations are steered by the name of their engine setting.

CREATE FUNCTION is_steered(kind text, of_judge text) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
SELECT kind = 'judge' OR (kind = 'confirm' AND of_judge = 'confirm')
$$;
COMMENT ON FUNCTION is_steered IS 'Whether jobs of a kind are selected by the name of a setting (NULL: by none).';

CREATE OR REPLACE FUNCTION selected_jobs(
    of_upload bigint, of_game bigint, of_person integer, of_year integer, of_judge text
) RETURNS SETOF job
LANGUAGE sql STABLE AS $$
SELECT j.*
FROM job AS j
WHERE
    of_upload = 0 AND of_game = 0 AND of_person = 0
    AND is_steered(j.kind, of_judge)
    AND (of_judge IS NULL OR j.judge = of_judge)
UNION ALL
-- An upload has many games that were judged long ago: its jobs are found without them.
SELECT j.*
FROM job AS j
WHERE
    of_upload <> 0 AND of_game = 0 AND of_person = 0 AND j.kind = 'judge'
    AND j.upload_id = of_upload
    AND (of_judge IS NULL OR j.judge = of_judge)
UNION ALL
SELECT j.*
FROM (SELECT DISTINCT d.game_id FROM upload_duplicate AS d WHERE d.upload_id = of_upload) AS sent
INNER JOIN job AS j ON j.game_id = sent.game_id
WHERE
    of_upload <> 0 AND of_game = 0 AND of_person = 0 AND j.kind = 'judge'
    AND j.upload_id <> of_upload
    AND (of_judge IS NULL OR j.judge = of_judge)
UNION ALL
SELECT j.*
FROM selected_games(of_upload, of_game, of_person, of_year) AS s
INNER JOIN job AS j ON j.game_id = s.game_id
WHERE
    (of_game <> 0 OR of_person <> 0) AND j.kind = 'judge'
    AND (of_judge IS NULL OR j.judge = of_judge)
UNION ALL
-- Confirmations count for no upload.
SELECT j.*
FROM selected_games(of_upload, of_game, of_person, of_year) AS s
INNER JOIN job AS j ON j.game_id = s.game_id
WHERE of_judge = 'confirm' AND j.kind = 'confirm'
$$;
COMMENT ON FUNCTION selected_jobs IS 'Jobs of the games selected, or of the whole queue when nothing is; confirmations if their setting is named; checks of other people''s work are left alone.';
