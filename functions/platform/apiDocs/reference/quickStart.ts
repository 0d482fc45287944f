import { gunzipSync } from 'node:zlib';
import curl from './quickStart/curl.txt?gzip';
import python from './quickStart/python.txt?gzip';
import typescript from './quickStart/typescript.txt?gzip';

/** The first request in each language that has a client: send one call, then read its record. */
export const quickStart = (baseUrl: string): { readonly language: string; readonly code: string }[] =>
  [
    { language: 'curl', code: curl },
    { language: 'TypeScript', code: typescript },
    { language: 'Python', code: python },
  ].map(({ language, code }) => ({
    language,
    code: gunzipSync(code).toString('utf8').trim().replaceAll('BASE_URL', baseUrl),
  }));
