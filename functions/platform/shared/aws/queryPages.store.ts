import { type AttributeValue, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { dynamodb } from './dynamodb.client.ts';

type Item = Record<string, AttributeValue>;

/** The pages of a query, until there are no more or the caller has enough. The paginator of the SDK is four times as large. */
export async function* queryPages(query: QueryCommandInput): AsyncGenerator<Item[], void> {
  let resume: Item | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await dynamodb.send(
      new QueryCommand({ ...query, ExclusiveStartKey: resume }),
    );
    yield Items;
    resume = LastEvaluatedKey;
  } while (resume !== undefined);
}
