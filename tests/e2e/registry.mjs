// The predictors of server/predictors.def, in their order: {name, label, phrase, tested, royale, …}.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './lib.mjs';

export const predictors = readFileSync(path.join(root, 'server/predictors.def'), 'utf8').split(/^predictor /m).slice(1)
    .map((block) => {
        const [first, ...lines] = block.trim().split('\n');
        const [name, label] = first.split(' | ');
        const fields = lines.filter((line) => !/^\s*(#|$)/.test(line)).map((line) => line.trim().match(/^(\w+)\s+(.*)$/).slice(1));
        return { name, label, tested: name, ...Object.fromEntries(fields) };
    });
