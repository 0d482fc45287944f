import { parseArgs } from 'node:util';
import { writeScreens } from '../tools/browser/screens.ts';

const { values } = parseArgs({ options: { 'data-dir': { type: 'string', default: '.local' } } });
await writeScreens(values['data-dir'], 'docs/console');
