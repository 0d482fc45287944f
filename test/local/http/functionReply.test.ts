import { describe, expect, test } from 'vitest';
import { parseFunctionReply } from '../../../local/http/functionReply.ts';

const reply = (value: unknown) => parseFunctionReply(JSON.stringify(value));

describe('parseFunctionReply', () => {
  test('returns status, headers, cookies and body', () => {
    expect(
      reply({ statusCode: 201, headers: { 'X-A': 1, Flag: true }, body: 'made', cookies: ['a=1', 'b=2'] }),
    ).toEqual({
      status: 201,
      headers: {
        'x-a': '1',
        flag: 'true',
        'set-cookie': ['a=1', 'b=2'],
        'content-type': 'text/plain; charset=utf-8',
      },
      body: 'made',
    });
  });

  test('renames WWW-Authenticate, as API Gateway does', () => {
    expect(reply({ statusCode: 401, headers: { 'WWW-Authenticate': 'Bearer' } })?.headers).toEqual({
      'x-amzn-remapped-www-authenticate': 'Bearer',
    });
  });

  test('decodes a base64 body', () => {
    expect(reply({ statusCode: 200, body: 'AAE=', isBase64Encoded: true })?.body).toEqual(Buffer.of(0, 1));
  });

  test('accepts a reply without a body', () => {
    expect(reply({ statusCode: 204 })).toEqual({ status: 204, headers: {}, body: '' });
  });

  test.each([
    [{ hello: 'world' }, '{"hello":"world"}'],
    ['text', 'text'],
    [null, 'null'],
  ])('returns 200 with the value as JSON when it has no status code: %j', (value, body) => {
    expect(reply(value)).toEqual({ status: 200, headers: { 'content-type': 'application/json' }, body });
  });

  test.each([{ statusCode: 'many' }, { statusCode: 99 }, { statusCode: 200, body: { not: 'text' } }])(
    'returns undefined for the invalid reply %j',
    (value) => {
      expect(reply(value)).toBeUndefined();
    },
  );
});
