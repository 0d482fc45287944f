import {
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';

/** DynamoDB needs minutes for a small table and hours for a large one. */
const MAXIMUM_WAIT_SECONDS = 24 * 60 * 60;

/** The copies of tables that point-in-time recovery can create. A copy is a new table, never an existing one. */
export interface Backups {
  /** Creates `copy` with the rows of `table` at this time, and waits until it can be read. An existing copy is used. */
  readonly restore: (table: string, copy: string, at: Date) => Promise<void>;
  readonly remove: (copy: string) => Promise<void>;
}

const hasStatus = async (client: DynamoDBClient, table: string): Promise<boolean> => {
  try {
    await client.send(new DescribeTableCommand({ TableName: table }));
    return true;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
};

/** Point-in-time recovery of DynamoDB, with the operator's AWS credentials. `pollSeconds` is the pause between two looks. */
export const pointInTimeBackups = (
  client: DynamoDBClient = new DynamoDBClient({}),
  pollSeconds = 20,
): Backups => ({
  restore: async (table, copy, at) => {
    if (!(await hasStatus(client, copy))) {
      await client.send(
        new RestoreTableToPointInTimeCommand({
          SourceTableName: table,
          TargetTableName: copy,
          RestoreDateTime: at,
          BillingModeOverride: 'PAY_PER_REQUEST',
        }),
      );
    }
    await waitUntilTableExists(
      { client, maxWaitTime: MAXIMUM_WAIT_SECONDS, minDelay: pollSeconds, maxDelay: pollSeconds },
      { TableName: copy },
    );
  },
  remove: async (copy) => {
    await client.send(new DeleteTableCommand({ TableName: copy }));
  },
});
