import { describe, expect, it } from 'vitest';
import { isClientId } from '../../../../functions/identity/access/principals/client.ts';
import { readForm, requireParameter } from '../../../../functions/identity/oauth/token/tokenRequest.ts';
import { errorOf } from '../oauthError.ts';

describe('readForm and requireParameter', () => {
  it.each(['a=1&a=2', 'client_id=x&client_id=x', 'scope=&scope=', 'a=1&%61=2'])(
    'is refused with a repeated parameter: %s',
    (form) => {
      expect(errorOf(() => readForm(form))).toBe('invalid_request');
    },
  );

  it.each(['', 'code', 'code=', 'Code=x'])(
    'throw invalid_request for a missing or empty parameter: %j',
    (form) => {
      expect(errorOf(() => requireParameter(readForm(form), 'code'))).toBe('invalid_request');
    },
  );

  it('name the parameter that was probably meant', () => {
    expect(() => requireParameter(readForm('grant_typ=client_credentials'), 'grant_type')).toThrow(
      expect.objectContaining({
        options: expect.objectContaining({
          errors: [{ parameter: 'grant_typ', detail: 'grant_type is required.', suggestion: 'grant_type' }],
        }),
      }),
    );
  });

  it('return decoded parameters', () => {
    expect(requireParameter(readForm('code=a%2Bb+c%00'), 'code')).toBe('a+b c\0');
  });
});

describe('isClientId', () => {
  it.each([
    ['cli_k3vcq2mc01ARZ3NDEKTSV4RRFFQ69G5FAV', true],
    ['key_k3vcq2mc01ARZ3NDEKTSV4RRFFQ69G5FAV', false],
    ['cli_k3vcq2mc01ARZ3NDEKTSV4RRFFQ69G5FAV ', false],
    ['', false],
    ['x'.repeat(5_000), false],
  ])('returns for %s: %s', (text, expected) => {
    expect(isClientId(text)).toBe(expected);
  });
});
