import {
  type AttributeValue,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { localClient } from '../../test/support/localAws.ts';
import type { MeasuredService } from '../support/service.ts';
import { type Row, type Table, table } from '../support/table.ts';
import { itemSize, READ_UNIT_BYTES, unitsOf, WRITE_UNIT_BYTES } from './itemSize.ts';

const SAMPLE = 50;
const WRITTEN_TABLES = ['TableLedger', 'TableClaims', 'TableIdempotency', 'TableLimits'];

type Item = Record<string, AttributeValue>;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * Checks that the embedded engine counts capacity units as DynamoDB does. Rewrites stored items and one item larger than
 * a unit, queries one ledger partition, and compares the reported units with the units computed from item sizes.
 */
export const benchCapacityUnits = async ({ runtime }: MeasuredService): Promise<Table> => {
  const dynamodb = new DynamoDBClient(localClient(runtime.endpoints.dynamodb));
  const sampleOf = async (name: string): Promise<Item[]> =>
    (await dynamodb.send(new ScanCommand({ TableName: name, Limit: SAMPLE }))).Items ?? [];
  const put = async (name: string, item: Item): Promise<number> => {
    const command = new PutItemCommand({ TableName: name, Item: item, ReturnConsumedCapacity: 'TOTAL' });
    return (await dynamodb.send(command)).ConsumedCapacity?.CapacityUnits ?? Number.NaN;
  };
  const row = (operation: string, items: readonly Item[], bySize: number, reported: number): Row => {
    const sizes = items.map(itemSize);
    return {
      operation,
      items: items.length,
      'mean bytes': Math.round(sum(sizes) / sizes.length),
      'largest bytes': Math.max(...sizes),
      'units computed': bySize,
      'units reported': reported,
    };
  };

  const rows: Row[] = [];
  for (const output of WRITTEN_TABLES) {
    const name = runtime.outputs[output] ?? '';
    const items = await sampleOf(name);
    const reported = await Promise.all(items.map((item) => put(name, item)));
    const bySize = sum(items.map((item) => unitsOf(itemSize(item), WRITE_UNIT_BYTES)));
    rows.push(row(`write ${output.replace('Table', '').toLowerCase()}`, items, bySize, sum(reported)));
  }
  const large = { pk: { S: 'bench' }, sk: { S: 'large' }, detail: { B: new Uint8Array(2_500) } };
  const ledger = runtime.outputs['TableLedger'] ?? '';
  rows.push(row('write a large item', [large], 3, await put(ledger, large)));

  const record = (await sampleOf(ledger)).find(
    (item) => item['detail'] !== undefined && item['pk']?.S !== 'bench',
  );
  const { Items = [], ConsumedCapacity } = await dynamodb.send(
    new QueryCommand({
      TableName: ledger,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': record?.['pk'] ?? { S: '' } },
      Limit: SAMPLE + 1,
      ReturnConsumedCapacity: 'TOTAL',
    }),
  );
  const bySize = unitsOf(sum(Items.map(itemSize)), READ_UNIT_BYTES);
  rows.push(row('query the ledger', Items, bySize, ConsumedCapacity?.CapacityUnits ?? Number.NaN));
  dynamodb.destroy();
  return table('Capacity units: reported by the embedded engine, and computed from item sizes', rows);
};
