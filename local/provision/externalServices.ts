import {
  CreateAliasCommand,
  CreateKeyCommand,
  DescribeKeyCommand,
  type KMSClient,
  NotFoundException,
} from '@aws-sdk/client-kms';
import type { KeyDeclaration } from '../template/keys.ts';

/** How to reach a service: an endpoint and the credentials it takes. */
export interface ClientSettings {
  endpoint: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
}

/** Creates the buckets that are missing at an endpoint outside. */
export async function createBuckets(settings: ClientSettings, names: string[]): Promise<void> {
  // Loaded only here: the embedded engine makes its buckets itself.
  const { BucketAlreadyOwnedByYou, CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3');
  const client = new S3Client({ ...settings, forcePathStyle: true });
  for (const Bucket of names) {
    await client.send(new CreateBucketCommand({ Bucket })).catch((error: unknown) => {
      if (!(error instanceof BucketAlreadyOwnedByYou)) throw error;
    });
  }
  client.destroy();
}

/** Finds or creates the keys at an endpoint outside, where they are known by an alias. Returns id and ARN by logical id. */
export async function createKeys(
  client: KMSClient,
  declarations: KeyDeclaration[],
): Promise<Map<string, { id: string; arn: string }>> {
  const found = new Map<string, { id: string; arn: string }>();
  for (const { logicalId, spec } of declarations)
    found.set(logicalId, await ensureKey(client, logicalId, spec));
  return found;
}

async function ensureKey(client: KMSClient, logicalId: string, spec: KeyDeclaration['spec']) {
  const AliasName = `alias/local-${logicalId}`;
  try {
    const { KeyMetadata: existing } = await client.send(new DescribeKeyCommand({ KeyId: AliasName }));
    return { id: existing?.KeyId ?? '', arn: existing?.Arn ?? '' };
  } catch (error) {
    if (!(error instanceof NotFoundException)) throw error;
  }
  const KeyUsage = spec === 'HMAC_256' ? 'GENERATE_VERIFY_MAC' : 'SIGN_VERIFY';
  const { KeyMetadata: created } = await client.send(new CreateKeyCommand({ KeySpec: spec, KeyUsage }));
  await client.send(new CreateAliasCommand({ AliasName, TargetKeyId: created?.KeyId }));
  return { id: created?.KeyId ?? '', arn: created?.Arn ?? '' };
}
