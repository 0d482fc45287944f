import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import type { DataDirectory } from './dataDirectory.ts';

/** Mail that would have been sent, relative to the data directory. */
const MAIL_DIRECTORY = 'mail';

/** Writes a message to `mail/<time>-<id>.eml`. Returns its id. */
export const storeMail = (data: DataDirectory, message: Uint8Array): string => {
  const directory = data.join(MAIL_DIRECTORY);
  const id = randomUUID();
  const file = `${directory}/${new Date().toISOString().replaceAll(/[-:]/g, '')}-${id}`;
  mkdirSync(directory, { recursive: true });
  // Written to a temporary name first, so that a reader of the directory never sees a partial message.
  writeFileSync(`${file}.part`, message);
  renameSync(`${file}.part`, `${file}.eml`);
  return id;
};
