import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Encoding } from '../http/body/contentEncoding.ts';
import { ConsoleFiles, FILE_LIST } from './consoleFile.ts';

/** The files of the console, which are deployed with the function. */
export interface ConsoleFolder {
  readonly files: ConsoleFiles;
  /** The content of a listed file, in one of the codings in which the build wrote it. */
  readonly read: (name: string, encoding: Encoding | null) => Promise<Uint8Array>;
}

const extensions: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

export const consoleFolder = (folder: string): ConsoleFolder => ({
  files: ConsoleFiles.parse(JSON.parse(readFileSync(join(folder, FILE_LIST), 'utf8'))),
  read: (name, encoding) =>
    readFile(join(folder, encoding === null ? name : `${name}${extensions[encoding]}`)),
});
