import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type * as z from 'zod';

/** Reads a JSON file. Null if it does not exist. Throws if its content does not match the schema. */
export const readJsonFile = <S extends z.ZodType>(file: string, schema: S): z.output<S> | null =>
  existsSync(file) ? schema.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;

/**
 * Replaces a file at once, which only its owner can read: a kill or a full disk leaves the old content or the new, never half of it.
 */
export const writeJsonFile = (file: string, content: unknown): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};
