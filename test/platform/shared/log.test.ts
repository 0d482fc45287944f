import { expect, it } from 'vitest';
import { describeError } from '../../../functions/platform/shared/log.ts';

it('describeError returns the names of error and cause and the stack frames, never the message', () => {
  const error = new TypeError('secret\n    at secret (secret.ts:1:1)', {
    cause: new RangeError('secret cause'),
  });

  const description = describeError(error);

  expect(description.error_name).toBe('TypeError < RangeError');
  expect(description.error_stack).toMatch(/^\s+at /);
  expect(JSON.stringify(description)).not.toContain('secret');
});

it('describeError returns only the type of a thrown value that is not an Error', () => {
  expect(describeError('secret')).toEqual({ error_name: 'string' });
});
