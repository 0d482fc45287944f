import { Duration, Validations } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Settings } from '../settings.ts';

/** As long as point-in-time backups of the tables. */
const KEPT = Duration.days(35);
/** After the days of the archive were closed. */
const HOUR_UTC = '5';
/** AWS maintains what its service needs to read tables and buckets, and to copy backups. */
const POLICIES = [
  'service-role/AWSBackupServiceRolePolicyForBackup',
  'AWSBackupServiceRolePolicyForS3Backup',
];

/**
 * Copies tables and the archive to a vault in another region every day, if the settings name one. What follows
 * from records is not copied: it can be computed again.
 */
export const addBackupCopies = (
  scope: Construct,
  id: string,
  { backupCopyVault, removalPolicy }: Settings,
  arns: readonly string[],
): void => {
  if (backupCopyVault === undefined) return;
  const within = new Construct(scope, id);
  const plan = new BackupPlan(within, 'Plan', {
    backupVault: new BackupVault(within, 'Vault', { removalPolicy }),
  });
  plan.addRule(
    new BackupPlanRule({
      ruleName: 'daily',
      scheduleExpression: Schedule.cron({ hour: HOUR_UTC, minute: '0' }),
      deleteAfter: KEPT,
      copyActions: [
        {
          destinationBackupVault: BackupVault.fromBackupVaultArn(within, 'Copies', backupCopyVault),
          deleteAfter: KEPT,
        },
      ],
    }),
  );
  const role = new Role(within, 'Role', {
    assumedBy: new ServicePrincipal('backup.amazonaws.com'),
    managedPolicies: POLICIES.map((name) => ManagedPolicy.fromAwsManagedPolicyName(name)),
  });
  Validations.of(role).acknowledge(
    ...POLICIES.map((name) => ({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${name}]`,
      reason: 'AWS Backup is the only user of the role, and AWS maintains what it needs.',
    })),
  );
  plan.addSelection('Selection', {
    role,
    disableDefaultBackupPolicy: true,
    resources: arns.map((arn) => BackupResource.fromArn(arn)),
  });
};
