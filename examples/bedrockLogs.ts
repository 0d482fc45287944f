/**
 * A Lambda function that forwards the model invocation log of Amazon Bedrock: from S3, with an EventBridge rule for "Object
 * Created" events of the bucket, and from CloudWatch Logs, with a subscription filter. It needs no permission but
 * s3:GetObject on the bucket. See docs/guides/call-logs.md.
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';

interface ObjectCreated {
  readonly detail: { readonly bucket: { readonly name: string }; readonly object: { readonly key: string } };
}
interface Subscription {
  readonly awslogs: { readonly data: string };
}

/** Keeps a request below the 16 MiB that the service accepts after decompression. */
const REQUEST_BYTES = 8 * 1_024 * 1_024;

const send = async (compressed: Buffer): Promise<void> => {
  const response = await fetch(`${process.env['ATTRIBUTION_URL']}/api/v1/call-logs`, {
    method: 'POST',
    headers: {
      'x-api-key': process.env['ATTRIBUTION_API_KEY'] ?? '',
      'content-type': 'application/x-ndjson',
      'content-encoding': 'gzip',
    },
    body: new Uint8Array(compressed),
  });
  // Lambda then repeats the event. A repeated record adds nothing.
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
};

const sendLines = async (lines: readonly string[]): Promise<void> => {
  let chunk: string[] = [];
  let size = 0;
  for (const line of lines) {
    if (size + line.length > REQUEST_BYTES && chunk.length > 0) {
      await send(gzipSync(chunk.join('\n')));
      chunk = [];
      size = 0;
    }
    chunk.push(line);
    size += line.length;
  }
  if (size > 0) await send(gzipSync(chunk.join('\n')));
};

export const handler = async (event: ObjectCreated | Subscription, s3 = new S3Client({})): Promise<void> => {
  if ('awslogs' in event) return send(Buffer.from(event.awslogs.data, 'base64'));
  const { bucket, object } = event.detail;
  const key = decodeURIComponent(object.key.replaceAll('+', ' '));
  // Bedrock stores large prompts and images apart from the records, under data/. They are never forwarded.
  if (key.includes('/data/') || !key.endsWith('.json.gz')) return;
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket.name, Key: key }));
  const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
  await sendLines(gunzipSync(bytes).toString('utf8').split('\n'));
};
