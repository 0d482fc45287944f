import type { DataExport } from '../../../../../schemas/chargeback/dataExport.ts';
import { failReport, type ReportFailure } from '../readReport.ts';
import { exportLocation } from './dataExport.ts';
import { externalIdOf } from './externalId.ts';

/** The shortest session that AWS allows. A run takes at most five minutes. */
const SESSION_SECONDS = 900;

/** Temporary credentials of the role of a customer. */
export interface RoleSession {
  readonly kind: 'session';
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

export type AssumeExportRole = (
  sourceId: string,
  dataExport: DataExport,
) => Promise<RoleSession | ReportFailure>;

/** What the session may do at most, whatever the role allows: read one export. */
const sessionPolicy = (dataExport: DataExport): string => {
  const { bucket, folder } = exportLocation(dataExport);
  const [, partition] = dataExport.role_arn.split(':');
  const root = `arn:${partition}:s3:::${bucket}`;
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: 's3:GetObject', Resource: `${root}/${folder}*` },
      // Without it, S3 answers 403 instead of 404 for a month that was not delivered yet.
      { Effect: 'Allow', Action: 's3:ListBucket', Resource: root },
      // An export in a bucket that a key of the customer encrypts.
      { Effect: 'Allow', Action: 'kms:Decrypt', Resource: '*' },
    ],
  });
};

const metadataOf = (error: unknown): { status: number; name: string } => {
  const { $metadata, name } = Object(error);
  return { status: Number(Object($metadata).httpStatusCode ?? 0), name: String(name) };
};

const failureOf = (error: unknown): ReportFailure => {
  const { status, name } = metadataOf(error);
  if (status === 429 || name.startsWith('Throttl')) return failReport('rate_limited');
  return failReport(status >= 400 && status < 500 ? 'refused' : 'unavailable');
};

/**
 * Assumes the role of a customer for one source. The external id is the one of the source, so a role that trusts another
 * source, also of another tenant, refuses (https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html).
 */
export const assumeExportRole: AssumeExportRole = async (sourceId, dataExport) => {
  const { sts, AssumeRoleCommand } = await import('../../../../platform/shared/aws/sts.client.ts');
  try {
    const { Credentials } = await sts.send(
      new AssumeRoleCommand({
        RoleArn: dataExport.role_arn,
        RoleSessionName: sourceId,
        ExternalId: externalIdOf(sourceId),
        DurationSeconds: SESSION_SECONDS,
        Policy: sessionPolicy(dataExport),
      }),
    );
    const { AccessKeyId, SecretAccessKey, SessionToken } = Credentials ?? {};
    if (!AccessKeyId || !SecretAccessKey || !SessionToken) return failReport('unavailable');
    return {
      kind: 'session',
      accessKeyId: AccessKeyId,
      secretAccessKey: SecretAccessKey,
      sessionToken: SessionToken,
    };
  } catch (error) {
    // The text of the error names accounts and roles.
    return failureOf(error);
  }
};
