import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type * as z from 'zod';

/** The files of the embedded provider in a data directory. Only the owner can read them. */
export const oidcFiles = (dataDir: string) => {
  const directory = join(dataDir, 'identity-provider');
  return {
    port: join(directory, 'port.json'),
    keys: join(directory, 'keys.json'),
    users: join(directory, 'users.json'),
  };
};

/** Reads a JSON file. Null if it does not exist. Throws if its content does not match the schema. */
export const readJsonFile = <S extends z.ZodType>(file: string, schema: S): z.output<S> | null =>
  existsSync(file) ? schema.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;

/** Replaces a file at once: a kill leaves the old content or the new, never half of it. */
export const writeJsonFile = (file: string, content: unknown): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, JSON.stringify(content), { mode: 0o600 });
  renameSync(`${file}.new`, file);
};
