import { getConsoleFile, getConsoleStart } from '../../../schemas/routes/platform/console.ts';
import { acceptedEncoding } from '../http/body/contentEncoding.ts';
import { isUnchanged } from '../http/ifNoneMatch.ts';
import { type Call, operation } from '../http/operation.ts';
import { type Reply, reply } from '../http/reply.ts';
import { ProblemError } from '../shared/problem.ts';
import type { ConsoleFolder } from './consoleFile.store.ts';
import { cacheControlOf, findFile } from './consoleFile.ts';
import { PAGE_HEADERS } from './pageHeaders.ts';

type Request = Pick<Call<typeof getConsoleFile>, 'path' | 'header'>;

const serve =
  ({ files, read }: ConsoleFolder) =>
  async ({ path, header }: Request): Promise<Reply> => {
    const name = findFile(path, files);
    const file = name === null ? undefined : files[name];
    if (name === null || file === undefined)
      throw new ProblemError('NOT_FOUND', 'The console has no such file.');
    const { contentType, digest, isCompressed } = file;
    // Weak, because all codings have the same one (RFC 9110 §8.8.1).
    const etag = `W/"${digest}"`;
    const headers = {
      ...PAGE_HEADERS,
      etag,
      'cache-control': cacheControlOf(name),
      vary: 'accept-encoding',
    };
    if (isUnchanged(header('if-none-match'), etag)) return reply(304, undefined, headers);
    const encoding = isCompressed ? acceptedEncoding(header('accept-encoding')) : null;
    return reply(200, await read(name, encoding), {
      ...headers,
      'content-type': contentType,
      ...(encoding !== null && { 'content-encoding': encoding }),
    });
  };

/** The operations that serve the console from a folder. */
export const consoleOperations = (folder: ConsoleFolder) => [
  operation(getConsoleStart, serve(folder))({}),
  operation(getConsoleFile, serve(folder))({}),
];
