import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { CATALOGUE_VERSION, errorCodes, problemTypes } from '../../../../schemas/problems.ts';

/** The last released catalogue of this major version. A release replaces the file. */
const Released = z.object({
  version: z.string(),
  errors: z.array(z.object({ error_code: z.string(), status: z.int(), retryable: z.boolean() })),
});
const released = Released.parse(JSON.parse(readFileSync(new URL('errors-1.json', import.meta.url), 'utf8')));

const current = errorCodes.map((error_code) => {
  const { status, retryable } = problemTypes[error_code];
  return { error_code, status, retryable };
});
const partsOf = (version: string) => version.split('.').map(Number);

it('the error catalogue keeps every released code with its status and whether it is retryable', () => {
  expect(current).toEqual(expect.arrayContaining(released.errors));
});

it('a new error code raises the minor version of the catalogue, and nothing raises the major version', () => {
  const [major, minor = 0] = partsOf(CATALOGUE_VERSION);
  const [releasedMajor, releasedMinor = 0] = partsOf(released.version);

  expect(major).toBe(releasedMajor);
  if (current.length > released.errors.length) expect(minor).toBeGreaterThan(releasedMinor);
  else expect(minor).toBe(releasedMinor);
});
