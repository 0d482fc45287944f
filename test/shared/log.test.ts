import { expect, it } from 'vitest';
import { describeError } from '../../functions/shared/log.ts';

it('describes an error by its name, its cause’s name and the places it passed, never by what it says', () => {
  const error = new TypeError('secret\n    at secret (secret.ts:1:1)', {
    cause: new RangeError('secret cause'),
  });

  const description = describeError(error);

  expect(description.error_name).toBe('TypeError < RangeError');
  expect(description.error_stack).toMatch(/^\s+at /);
  expect(JSON.stringify(description)).not.toContain('secret');
});

it('names only the type of what was thrown but is no error', () => {
  expect(describeError('secret')).toEqual({ error_name: 'string' });
});
