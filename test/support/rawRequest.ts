import { request } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
}

/** A request with its header lines exactly as given: repeated, in any case, in any order. */
export const rawRequest = (
  url: string,
  method: string,
  lines: readonly (readonly [string, string])[],
  body = '',
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { host } = new URL(url);
    const headers = [['Host', host], ['Content-Length', String(Buffer.byteLength(body))], ...lines].flat();
    const sent = request(url, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
