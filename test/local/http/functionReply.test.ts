import { describe, expect, test } from 'vitest';
import { parseFunctionReply } from '../../../local/http/functionReply.ts';

const reply = (value: unknown) => parseFunctionReply(JSON.stringify(value));

describe('the reply of a function', () => {
  test('is sent as it says', () => {
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

  test('is decoded where it is base64', () => {
    expect(reply({ statusCode: 200, body: 'AAE=', isBase64Encoded: true })?.body).toEqual(Buffer.of(0, 1));
  });

  test('may be empty', () => {
    expect(reply({ statusCode: 204 })).toEqual({ status: 204, headers: {}, body: '' });
  });

  test.each([
    [{ hello: 'world' }, '{"hello":"world"}'],
    ['text', 'text'],
    [null, 'null'],
  ])('without a status code is itself the body of a 200: %j', (value, body) => {
    expect(reply(value)).toEqual({ status: 200, headers: { 'content-type': 'application/json' }, body });
  });

  test.each([{ statusCode: 'many' }, { statusCode: 99 }, { statusCode: 200, body: { not: 'text' } }])(
    'is a 500 where it cannot be sent: %j',
    (value) => {
      expect(reply(value)).toBeUndefined();
    },
  );
});
