/** Artefacts are immutable. Each version has one. */
const keyOf = (tenantId: string, version: string): string => `models/${tenantId}/${version}`;

/** The newest training state of a tenant. Overwritten by each training. */
const trainingKeyOf = (tenantId: string): string => `training/${tenantId}`;

// Imported with the first artefact, so that a function without models does not load the client.
const client = () => import('../../../platform/shared/aws/s3.client.ts');

export interface ArtefactReader {
  /** Throws when the artefact cannot be read before the signal aborts. */
  readonly read: (tenantId: string, version: string, signal: AbortSignal) => Promise<Uint8Array>;
}

const read = async (bucket: string, key: string, abortSignal?: AbortSignal): Promise<Uint8Array> => {
  const { s3, GetObjectCommand } = await client();
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }), {
    ...(abortSignal !== undefined && { abortSignal }),
  });
  if (Body === undefined) throw new Error(`artefact ${key} is empty`);
  return Body.transformToByteArray();
};

export const artefactReader = (bucket: string): ArtefactReader => ({
  read: (tenantId, version, abortSignal) => read(bucket, keyOf(tenantId, version), abortSignal),
});

export interface ArtefactWriter {
  readonly write: (tenantId: string, version: string, artefact: Uint8Array) => Promise<void>;
  /** The training state of the tenant. Throws when there is none, or when it cannot be read. */
  readonly readTraining: (tenantId: string) => Promise<Uint8Array>;
  readonly writeTraining: (tenantId: string, state: Uint8Array) => Promise<void>;
}

export const artefactWriter = (bucket: string): ArtefactWriter => {
  const write = async (key: string, body: Uint8Array): Promise<void> => {
    const { s3, PutObjectCommand } = await client();
    await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body }));
  };
  return {
    write: (tenantId, version, artefact) => write(keyOf(tenantId, version), artefact),
    readTraining: (tenantId) => read(bucket, trainingKeyOf(tenantId)),
    writeTraining: (tenantId, state) => write(trainingKeyOf(tenantId), state),
  };
};
