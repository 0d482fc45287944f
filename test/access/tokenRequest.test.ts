import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isClientId } from '../../functions/access/client.ts';
import { readClientCredentials, readForm } from '../../functions/access/tokenRequest.ts';
import { ProblemError } from '../../functions/http/problem.ts';

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

/** The RFC 6749 error of whatever is thrown. */
const errorOf = (act: () => unknown): string | undefined => {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof ProblemError) return error.options.members?.['error'];
    throw error;
  }
};

const read = (form: string, authorization?: string) => readClientCredentials(readForm(form), authorization);

describe('a token request', () => {
  it('names its client in the form, or by HTTP Basic with both halves form-encoded', () => {
    const part = fc.string({ unit: 'grapheme', minLength: 1 });

    fc.assert(
      fc.property(part, part, (clientId, clientSecret) => {
        const form = new URLSearchParams({ client_id: clientId, client_secret: clientSecret }).toString();
        const encoded = basic(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`);

        expect(read(form)).toEqual({ clientId, clientSecret });
        expect(read('', encoded)).toEqual({ clientId, clientSecret });
      }),
    );
  });

  it.each(['a=1&a=2', 'client_id=x&client_id=x', 'scope=&scope=', 'a=1&%61=2'])(
    'is refused with a repeated parameter: %s',
    (form) => {
      expect(errorOf(() => readForm(form))).toBe('invalid_request');
    },
  );

  it.each([
    ['in two ways', 'client_id=c&client_secret=s', basic('c:s')],
    ['with two ids', 'client_id=other', basic('c:s')],
  ])('is refused when its client authenticates %s', (_, form, authorization) => {
    expect(errorOf(() => read(form, authorization))).toBe('invalid_request');
  });

  it.each([
    ['no client', '', undefined],
    ['no secret', 'client_id=c', undefined],
    ['no id', 'client_secret=s', undefined],
    ['another scheme', '', 'Bearer abc'],
    ['empty Basic', '', 'Basic '],
    ['Basic without a colon', '', basic('cs')],
    ['Basic that is not base64', '', 'Basic ***'],
    ['Basic without its padding', '', basic('c:s1').replace(/=+$/, '')],
    ['Basic with stray bits', '', 'Basic Yzp='],
    ['Basic with a broken escape', '', basic('%zz:s')],
  ])('is refused with %s', (_, form, authorization) => {
    expect(errorOf(() => read(form, authorization))).toBe('invalid_client');
  });

  it('may say its client twice where both agree', () => {
    expect(read('client_id=c', basic('c:s'))).toEqual({ clientId: 'c', clientSecret: 's' });
  });

  it('names a scheme to authenticate with in every 401', () => {
    const refusals = [() => read(''), () => read('client_id=c'), () => read('', 'Bearer abc')];

    for (const refusal of refusals) {
      expect(refusal).toThrow(
        expect.objectContaining({
          options: expect.objectContaining({
            headers: { 'www-authenticate': expect.stringMatching(/^Basic /) },
          }),
        }),
      );
    }
  });
});

describe('a client id', () => {
  it.each([
    ['cli_k3vcq2mc01ARZ3NDEKTSV4RRFFQ69G5FAV', true],
    ['key_k3vcq2mc01ARZ3NDEKTSV4RRFFQ69G5FAV', false],
    ['cli_k3vcq2mc01ARZ3NDEKTSV4RRFFQ69G5FAV ', false],
    ['', false],
    ['x'.repeat(5_000), false],
  ])('%s: %s', (text, expected) => {
    expect(isClientId(text)).toBe(expected);
  });
});
