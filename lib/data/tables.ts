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
import type { Targets } from '../compute/targets.ts';
import { pascalCase } from '../pascalCase.ts';
import type { Settings } from '../settings.ts';

const attribute = (name: string) => ({ name, type: AttributeType.STRING });

/** All DynamoDB tables. */
export class Tables extends Construct {
  readonly all = new Map<TableName, Table>();

  constructor(scope: Construct, id: string, settings: Settings, targets: Targets) {
    super(scope, id);
    for (const name of tableNames) {
      const shape: TableShape = tables[name];
      const table = new Table(this, pascalCase(name), {
        partitionKey: attribute(shape.partitionKey),
        ...(shape.sortKey && { sortKey: attribute(shape.sortKey) }),
        ...(shape.ttl && { timeToLiveAttribute: shape.ttl }),
        ...(shape.streamed && { stream: StreamViewType.NEW_IMAGE }),
        ...(shape.warmed &&
          settings.warmWrites && { warmThroughput: { writeUnitsPerSecond: settings.warmWrites } }),
        billingMode: BillingMode.PAY_PER_REQUEST,
        ...(shape.derived
          ? { tableClass: TableClass.STANDARD_INFREQUENT_ACCESS }
          : { pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true } }),
        encryption: TableEncryption.AWS_MANAGED,
        deletionProtection: settings.protected,
        removalPolicy: settings.removalPolicy,
      });
      if (shape.derived)
        Validations.of(table).acknowledge({
          id: 'AwsSolutions-DDB3',
          reason:
            'The items are derived from records of the ledger, and `npm run restore` writes them again.',
        });
      this.all.set(name, table);
      targets.add({
        kind: 'table',
        name,
        arns: [table.tableArn],
        reference: table.tableName,
      });
    }
  }

  get(name: TableName): Table {
    const table = this.all.get(name);
    if (table === undefined) throw new Error(`Table ${name} is not declared`);
    return table;
  }
}
