import { createHash } from 'node:crypto';
import { createWriteStream, readFileSync, renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandFailed } from './faults.ts';

/** What the manifest says about one file. */
export interface ExpectedFile {
  readonly bytes: number;
  /** Of the stored bytes, after compression. Lowercase hex. */
  readonly sha256: string;
}

/** Saves a signed URL under another name first, so that no incomplete file has the final name. Returns size and digest. */
const save = async (
  url: string,
  path: string,
  signal: AbortSignal,
  accept: (found: ExpectedFile) => void,
): Promise<void> => {
  const partial = `${path}.part`;
  try {
    const response = await fetch(url, { signal, redirect: 'error' });
    if (!response.ok || response.body === null)
      throw new CommandFailed(`The download of ${path} failed with status ${response.status}.`);
    const hash = createHash('sha256');
    let bytes = 0;
    await pipeline(
      Readable.fromWeb(response.body),
      async function* (chunks) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          bytes += chunk.length;
          yield chunk;
        }
      },
      createWriteStream(partial),
      { signal },
    );
    accept({ bytes, sha256: hash.digest('hex') });
    renameSync(partial, path);
  } finally {
    rmSync(partial, { force: true });
  }
};

/** Saves a document and returns its text. */
export const download = async (url: string, path: string, signal: AbortSignal): Promise<string> => {
  await save(url, path, signal, () => undefined);
  return readFileSync(path, 'utf8');
};

/** Saves a file whose size and digest are known. A file that differs is deleted. */
export const downloadVerified = (
  url: string,
  path: string,
  expected: ExpectedFile,
  signal: AbortSignal,
): Promise<void> =>
  save(url, path, signal, ({ bytes, sha256 }) => {
    if (bytes !== expected.bytes || sha256 !== expected.sha256)
      throw new CommandFailed(`${path} does not have the size and digest of the manifest. It was deleted.`);
  });

const isExpectedFile = (value: unknown): value is ExpectedFile =>
  typeof value === 'object' &&
  value !== null &&
  'bytes' in value &&
  typeof value.bytes === 'number' &&
  'sha256' in value &&
  typeof value.sha256 === 'string';

/** The files of a manifest, in the order of the URLs. */
export const readManifest = (text: string): ExpectedFile[] => {
  const manifest: unknown = JSON.parse(text);
  const files =
    typeof manifest === 'object' && manifest !== null && 'files' in manifest ? manifest.files : undefined;
  if (!Array.isArray(files) || !files.every(isExpectedFile))
    throw new CommandFailed('The manifest of the export has no digests.');
  return files;
};
