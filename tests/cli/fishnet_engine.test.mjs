// What fishnet 1.18 wants to hear of an engine before it starts, and that the engine is otherwise itself.
import test from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from '../e2e/lib.mjs';

// Of its validate_stockfish_command.
const required = ['chess', 'giveaway', 'atomic', 'crazyhouse', 'horde', 'kingofthehill', 'racingkings', '3check'];

for (const [engine, name] of [['/usr/games/stockfish', 'Stockfish'], ['/usr/games/fairy-stockfish', 'Fairy-Stockfish']])
    test(`${name} is an engine for fishnet 1.18`, () => {
        const talk = (program, args, input) => spawnSync(program, args, { input, encoding: 'utf8', timeout: 20000 }).stdout.split('\n');
        const wrapper = path.join(root, 'setup/fishnet_engine.sh');
        const said = talk(wrapper, [engine], 'uci\nquit\n');
        const options = said.filter((line) => line.startsWith('option name UCI_Variant '));
        assert.equal(options.length, 1);
        assert.match(options[0], /^option name UCI_Variant type combo default chess var chess var /);
        for (const variant of required)
            assert.ok(options[0].split(' var ').includes(variant), variant);
        assert.equal(said.indexOf('uciok'), said.indexOf(options[0]) + 1);
        assert.ok(said.some((line) => line.startsWith(`id name ${name}`)));
        const search = 'uci\nsetoption name UCI_Variant value chess\nsetoption name MultiPV value 3\nucinewgame\nposition startpos moves e2e4\ngo depth 4\n';
        const searched = (lines) => lines.filter((line) => line.includes(' multipv ')).map((line) => line.replace(/ (nps|time|hashfull|tbhits) \d+/g, ''));
        const wait = `${search}isready\n`;
        const mine = searched(talk('sh', ['-c', `{ printf '${wait.replaceAll('\n', '\\n')}'; sleep 2; echo quit; } | ${wrapper} ${engine}`]));
        const own = searched(talk('sh', ['-c', `{ printf '${wait.replaceAll('\n', '\\n')}'; sleep 2; echo quit; } | ${engine}`]));
        assert.ok(mine.length >= 3);
        assert.deepEqual(mine, own, 'the same searches');
    });
