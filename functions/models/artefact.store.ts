/** Artefacts are never changed: a version has one for ever. */
const keyOf = (tenantId: string, version: string): string => `models/${tenantId}/${version}`;

// Loaded when the first artefact is: a tenant without a model pays nothing for the client.
const client = () => import('../shared/aws/s3.client.ts');

export interface ArtefactReader {
  /** Throws when it cannot be had before the signal says so. */
  readonly read: (tenantId: string, version: string, signal: AbortSignal) => Promise<Uint8Array>;
}

export const artefactReader = (bucket: string): ArtefactReader => ({
  read: async (tenantId, version, abortSignal) => {
    const { s3, GetObjectCommand } = await client();
    const command = new GetObjectCommand({ Bucket: bucket, Key: keyOf(tenantId, version) });
    const { Body } = await s3.send(command, { abortSignal });
    if (Body === undefined) throw new Error('the artefact is empty');
    return Body.transformToByteArray();
  },
});

export interface ArtefactWriter {
  readonly write: (tenantId: string, version: string, artefact: Uint8Array) => Promise<void>;
}

export const artefactWriter = (bucket: string): ArtefactWriter => ({
  write: async (tenantId, version, artefact) => {
    const { s3, PutObjectCommand } = await client();
    await s3.send(new PutObjectCommand({ Bucket: bucket, Key: keyOf(tenantId, version), Body: artefact }));
  },
});
