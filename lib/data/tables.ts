import { Validations } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  StreamViewType,
  Table,
  TableClass,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { type TableName, type TableShape, tableNames, tables } from '../../schemas/platform/tables.ts';
import { nameIn } from '../names.ts';
import { pascalCase } from '../pascalCase.ts';
import type { Settings } from '../settings.ts';
import type { PublishedValues } from '../values.ts';

const attribute = (name: string) => ({ name, type: AttributeType.STRING });

/** All DynamoDB tables. A restore can use their fixed names, and a table cannot be replaced by an empty one. */
export class Tables extends Construct {
  constructor(scope: Construct, id: string, settings: Settings, values: PublishedValues) {
    super(scope, id);
    for (const name of tableNames) {
      const table = this.#declare(name, settings);
      if (table.tableStreamArn !== undefined) values.publish(`stream/${name}`, table.tableStreamArn);
    }
  }

  #declare(name: TableName, settings: Settings): Table {
    const shape: TableShape = tables[name];
    const table = new Table(this, pascalCase(name), {
      tableName: nameIn(settings.deployment, name),
      partitionKey: attribute(shape.partitionKey),
      ...(shape.sortKey && { sortKey: attribute(shape.sortKey) }),
      ...(shape.ttl && { timeToLiveAttribute: shape.ttl }),
      ...(shape.streamed && { stream: StreamViewType.NEW_IMAGE }),
      ...(shape.warmed &&
        settings.warmWrites && { warmThroughput: { writeUnitsPerSecond: settings.warmWrites } }),
      billingMode: BillingMode.PAY_PER_REQUEST,
      ...(settings.maximumWrites !== undefined && { maxWriteRequestUnits: settings.maximumWrites }),
      ...(shape.derived
        ? { tableClass: TableClass.STANDARD_INFREQUENT_ACCESS }
        : { pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true } }),
      // CloudTrail shows each use of this key, unlike one that AWS owns. Its requests cost cents a month.
      encryption: TableEncryption.AWS_MANAGED,
      deletionProtection: settings.protected,
      removalPolicy: settings.removalPolicy,
    });
    if (shape.derived)
      Validations.of(table).acknowledge({
        id: 'AwsSolutions-DDB3',
        reason: 'The items are derived from records of the ledger, and `npm run restore` writes them again.',
      });
    return table;
  }
}
