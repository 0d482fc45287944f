import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import { InvocationEvent } from '../schemas/ingestion/invocationEvent.ts';

const Batch = z.object({ events: z.array(InvocationEvent) });

/** What any handler must do with such a body, and nothing else: the measure for what ours does besides. */
export const handler = async (event: APIGatewayProxyEventV2) => {
  const value: unknown = JSON.parse(event.body ?? '');
  const batch = event.rawPath.endsWith('/batch');
  const { success } = batch ? Batch.safeParse(value) : InvocationEvent.safeParse(value);
  return { statusCode: success ? 202 : 422, body: JSON.stringify({ success }) };
};
