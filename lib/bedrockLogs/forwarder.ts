/**
 * A Lambda function that forwards the model invocation log of Amazon Bedrock. It has to fit into 4 kB as inline code, so it
 * uses nothing but the SDK that Lambda provides. See docs/guides/call-logs.md.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, gunzipSync, gzipSync } from 'node:zlib';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';

/** An EventBridge event of S3. Its key is not URL-encoded. */
interface ObjectCreated {
  readonly detail: { readonly bucket: { readonly name: string }; readonly object: { readonly key: string } };
}
/** SQS messages with such events. */
interface Queued {
  readonly Records: readonly { readonly body: string }[];
}
interface Subscription {
  readonly awslogs: { readonly data: string };
}

/** Of lines in one request. The service accepts 16 MiB after decompression. */
const REQUEST_CHARACTERS = 1_024 * 1_024;

const CONTENT = new Set(['inputBodyJson', 'outputBodyJson']);

/** The record of a line without prompt and output, which then never leave the account. Null if it is no JSON object. */
const withoutContent = (line: string): string | null => {
  try {
    const record: unknown = JSON.parse(line, (name, value) => (CONTENT.has(name) ? undefined : value));
    return typeof record === 'object' && record !== null ? JSON.stringify(record) : null;
  } catch {
    return null;
  }
};

const send = async (records: readonly string[]): Promise<void> => {
  const response = await fetch(`${process.env['ATTRIBUTION_URL']}/api/v1/call-logs`, {
    method: 'POST',
    headers: {
      'x-api-key': process.env['ATTRIBUTION_API_KEY'] ?? '',
      'content-type': 'application/x-ndjson',
      'content-encoding': 'gzip',
    },
    body: new Uint8Array(gzipSync(records.join('\n'))),
  });
  // The event is then delivered again. A repeated record adds nothing.
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
  const answer = Object(await response.json());
  if (answer.rejected > 0 || answer.skipped > 0) console.warn(JSON.stringify(answer));
};

const sendLines = async (lines: AsyncIterable<string> | Iterable<string>): Promise<void> => {
  let records: string[] = [];
  let size = 0;
  let unreadable = 0;
  for await (const line of lines) {
    const record = withoutContent(line);
    if (record === null) {
      if (line.trim() !== '') unreadable += 1;
      continue;
    }
    if (size + record.length > REQUEST_CHARACTERS && records.length > 0) {
      await send(records);
      records = [];
      size = 0;
    }
    records.push(record);
    size += record.length;
  }
  if (records.length > 0) await send(records);
  if (unreadable > 0) console.warn(JSON.stringify({ unreadable_lines: unreadable }));
};

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

const forwardObject = async (s3: S3Client, { detail: { bucket, object } }: ObjectCreated): Promise<void> => {
  // Bedrock stores large prompts and images apart from the records, under data/. They are never read.
  if (object.key.includes('/data/') || !object.key.endsWith('.json.gz')) return;
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket.name, Key: object.key }));
  if (!(Body instanceof Readable)) throw new Error('The object has no body.');
  await pipeline(Body, createGunzip(), (chunks: AsyncIterable<Uint8Array>) => sendLines(linesOf(chunks)));
};

/** Forwards the records of the event. Throws if the object cannot be read, or the service does not accept them. */
export const forward = async (event: Queued | ObjectCreated | Subscription, s3: S3Client): Promise<void> => {
  if ('awslogs' in event) {
    const { messageType, logEvents } = JSON.parse(
      gunzipSync(Buffer.from(event.awslogs.data, 'base64')).toString('utf8'),
    );
    // A control message tests the subscription.
    if (messageType !== 'DATA_MESSAGE') return;
    return sendLines(logEvents.map(({ message }: { readonly message: string }) => message));
  }
  if ('detail' in event) return forwardObject(s3, event);
  for (const { body } of event.Records) await forwardObject(s3, JSON.parse(body));
};

let client: S3Client | undefined;

export const handler = (event: Queued | ObjectCreated | Subscription): Promise<void> => {
  client ??= new S3Client({});
  return forward(event, client);
};
