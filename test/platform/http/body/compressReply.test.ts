import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { compressReply } from '../../../../functions/platform/http/body/compressReply.ts';

const LONG = JSON.stringify(Array.from({ length: 200 }, (_, index) => ({ owner: `owner ${index}` })));

it('compresses a long text in the coding that the client prefers, without a change', () => {
  const gzip = compressReply(LONG, 'gzip');
  const brotli = compressReply(LONG, 'gzip, br');

  expect(gzip.headers).toEqual({ vary: 'accept-encoding', 'content-encoding': 'gzip' });
  expect(brotli.headers).toEqual({ vary: 'accept-encoding', 'content-encoding': 'br' });
  expect(gunzipSync(gzip.content).toString()).toBe(LONG);
  expect(brotliDecompressSync(brotli.content).toString()).toBe(LONG);
});

it('leaves a text as it is for a client that accepts no coding, and caches know why', () => {
  expect(compressReply(LONG, undefined)).toEqual({ content: LONG, headers: { vary: 'accept-encoding' } });
});

it('leaves a short text as it is', () => {
  expect(compressReply('{"status":"ok"}', 'gzip, br')).toEqual({ content: '{"status":"ok"}', headers: {} });
});
