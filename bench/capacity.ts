import {
  type AttributeValue,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { itemSize, READ_UNIT_BYTES, unitsOf, WRITE_UNIT_BYTES } from './itemSize.ts';
import type { MeasuredService } from './service.ts';
import { type Row, type Table, table } from './table.ts';

const SAMPLE = 50;
const WRITTEN = ['TableLedger', 'TableClaims', 'TableIdempotency', 'TableLimits'];

type Item = Record<string, AttributeValue>;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * Whether the engine counts as DynamoDB would: items it holds, and one larger than a unit, are written back as they are
 * and a stretch of the ledger is read; what it reports stands beside what follows from the sizes.
 */
export const benchCapacity = async ({ runtime }: MeasuredService): Promise<Table> => {
  const dynamodb = new DynamoDBClient({
    endpoint: runtime.endpoints.dynamodb,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const sampleOf = async (name: string): Promise<Item[]> =>
    (await dynamodb.send(new ScanCommand({ TableName: name, Limit: SAMPLE }))).Items ?? [];
  const put = async (name: string, item: Item): Promise<number> => {
    const command = new PutItemCommand({ TableName: name, Item: item, ReturnConsumedCapacity: 'TOTAL' });
    return (await dynamodb.send(command)).ConsumedCapacity?.CapacityUnits ?? Number.NaN;
  };
  const row = (what: string, items: readonly Item[], bySize: number, reported: number): Row => {
    const sizes = items.map(itemSize);
    return {
      what,
      items: items.length,
      'mean bytes': Math.round(sum(sizes) / sizes.length),
      'largest bytes': Math.max(...sizes),
      'units by size': bySize,
      'units reported': reported,
    };
  };

  const rows: Row[] = [];
  for (const output of WRITTEN) {
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
  return table('Capacity units: what the engine reports beside what follows from the size of items', rows);
};
