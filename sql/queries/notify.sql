-- name: notify_progress
-- Equal notifications of one transaction are sent once.
SELECT pg_notify('progress', '')
