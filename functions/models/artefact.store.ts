/** Artefacts are immutable. Each version has one. */
const keyOf = (tenantId: string, version: string): string => `models/${tenantId}/${version}`;

// Imported with the first artefact, so that a function without models does not load the client.
const client = () => import('../shared/aws/s3.client.ts');

export interface ArtefactReader {
  /** Throws when the artefact cannot be read before the signal aborts. */
  readonly read: (tenantId: string, version: string, signal: AbortSignal) => Promise<Uint8Array>;
}

export const artefactReader = (bucket: string): ArtefactReader => ({
  read: async (tenantId, version, abortSignal) => {
    const { s3, GetObjectCommand } = await client();
    const command = new GetObjectCommand({ Bucket: bucket, Key: keyOf(tenantId, version) });
    const { Body } = await s3.send(command, { abortSignal });
    if (Body === undefined) throw new Error(`artefact of model ${version} is empty`);
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
