import { request } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
}

/** Sends a request with the given header lines unchanged, including their case, order and repetitions. */
export const rawRequest = (
  url: string,
  method: string,
  lines: readonly (readonly [string, string])[],
  body = '',
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { host } = new URL(url);
    const headers = [['Host', host], ['Content-Length', String(Buffer.byteLength(body))], ...lines].flat();
    const outgoing = request(url, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
