import { join } from 'node:path';
import { consoleFolder } from '../../platform/console/consoleFile.store.ts';
import { consoleOperations } from '../../platform/console/getConsoleFile.ts';
import { unit } from '../wiring/httpHandler.ts';
import { publicPipeline } from '../wiring/publicPipeline.ts';

/** The build puts the files beside the bundle: `tools/build/consoleBuild.ts`. */
const folder = consoleFolder(join(import.meta.dirname, 'files'));

export const handler = unit(consoleOperations(folder), publicPipeline());
