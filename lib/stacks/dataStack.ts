import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { bucketNames } from '../../schemas/platform/buckets.ts';
import { keyNames } from '../../schemas/platform/keys.ts';
import { queueNames } from '../../schemas/platform/queues.ts';
import { isDerived, tableNames } from '../../schemas/platform/tables.ts';
import { trustedWorkers } from '../../schemas/platform/trustedRoles.ts';
import { Keys } from '../access/keys.ts';
import { UserDirectory } from '../access/userDirectory.ts';
import { Targets } from '../compute/targets.ts';
import { addTrustedRoles } from '../compute/workers.ts';
import { addBackupCopies } from '../data/backupCopies.ts';
import { Buckets } from '../data/buckets.ts';
import { Queues } from '../data/queues.ts';
import { Tables } from '../data/tables.ts';
import { pascalCase } from '../pascalCase.ts';
import type { Settings } from '../settings.ts';
import { PublishedValues } from '../values.ts';
import { stackProps } from './stackProps.ts';

/** What must outlive every other stack: tables, queues, buckets, keys, users, and the roles that customers trust. */
export class DataStack extends Stack {
  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id, {
      ...stackProps(settings),
      description: 'Inference attribution: tables, queues, buckets, keys and users',
      terminationProtection: settings.protected,
    });
    const values = new PublishedValues(this, 'Values', settings);
    new Tables(this, 'Tables', settings, values);
    new Buckets(this, 'Buckets', settings, values);
    new Keys(this, 'Keys', settings, values);
    new Queues(this, 'Queues', settings);
    if (settings.oidcIssuer === undefined) new UserDirectory(this, 'IdentityProvider', settings, values);
    const targets = new Targets(this, settings, values.read);
    addTrustedRoles(this, settings, targets);
    addBackupCopies(this, 'BackupCopies', settings, [
      ...tableNames.filter((name) => !isDerived(name)).flatMap((name) => targets.get('table', name).arns),
      // The only copy of records that have left the tables.
      ...targets.get('bucket', 'archive').arns.slice(0, 1),
    ]);
    this.#addOutputs(settings, targets);
  }

  /** What operator commands and the local runtime read: `TableLedger`, `QueueAccepted` … */
  #addOutputs({ environment, oidcIssuer }: Settings, targets: Targets): void {
    const resources = [
      ...tableNames.map((name) => ['table', name] as const),
      ...queueNames.flatMap((name) => [['queue', name] as const, ['queue', `${name}DeadLetter`] as const]),
      ...bucketNames.map((name) => ['bucket', name] as const),
      ...keyNames.map((name) => ['key', name] as const),
      ...(oidcIssuer === undefined ? [['userPool', 'id'] as const] : []),
      ...trustedWorkers.map((name) => ['trustedRole', name] as const),
    ];
    for (const [kind, name] of resources)
      new CfnOutput(this, pascalCase(kind) + pascalCase(name), { value: targets.get(kind, name).reference });
    new CfnOutput(this, 'IngestionQueueUrl', { value: targets.queueUrl('ingestion') });
    new CfnOutput(this, 'Environment', { value: environment });
  }
}
