import {
  CreateAliasCommand,
  CreateKeyCommand,
  DescribeKeyCommand,
  type KMSClient,
  NotFoundException,
} from '@aws-sdk/client-kms';
import { type KeyDeclaration, usageOf } from '../template/keys.ts';

/** Endpoint, region and credentials of an AWS client. */
export interface ClientSettings {
  endpoint: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
}

/** Creates missing buckets at an external endpoint. */
export async function createBuckets(settings: ClientSettings, names: string[]): Promise<void> {
  // Imported on demand, because the embedded engine creates its own buckets.
  const { BucketAlreadyOwnedByYou, CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3');
  const client = new S3Client({ ...settings, forcePathStyle: true });
  for (const Bucket of names) {
    await client.send(new CreateBucketCommand({ Bucket })).catch((error: unknown) => {
      if (!(error instanceof BucketAlreadyOwnedByYou)) throw error;
    });
  }
  client.destroy();
}

/** Finds keys at an external endpoint by alias, or creates them. Returns id and ARN by logical id. */
export async function createKeys(
  client: KMSClient,
  declarations: KeyDeclaration[],
): Promise<Map<string, { id: string; arn: string }>> {
  const keys = new Map<string, { id: string; arn: string }>();
  for (const { logicalId, spec } of declarations)
    keys.set(logicalId, await ensureKey(client, logicalId, spec));
  return keys;
}

async function ensureKey(client: KMSClient, logicalId: string, spec: KeyDeclaration['spec']) {
  const AliasName = `alias/local-${logicalId}`;
  try {
    const { KeyMetadata: existing } = await client.send(new DescribeKeyCommand({ KeyId: AliasName }));
    return { id: existing?.KeyId ?? '', arn: existing?.Arn ?? '' };
  } catch (error) {
    if (!(error instanceof NotFoundException)) throw error;
  }
  const { KeyMetadata: created } = await client.send(
    new CreateKeyCommand({ KeySpec: spec, KeyUsage: usageOf[spec] }),
  );
  await client.send(new CreateAliasCommand({ AliasName, TargetKeyId: created?.KeyId }));
  return { id: created?.KeyId ?? '', arn: created?.Arn ?? '' };
}
