import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';

const Batch = z.object({ events: z.array(InvocationEvent) });

/** Baseline handler: parses and validates the body, nothing else. The ingestion handler is compared with it. */
export const handler = async (event: APIGatewayProxyEventV2) => {
  const value: unknown = JSON.parse(event.body ?? '');
  const batch = event.rawPath.endsWith('/batch');
  const { success } = batch ? Batch.safeParse(value) : InvocationEvent.safeParse(value);
  return { statusCode: success ? 202 : 422, body: JSON.stringify({ success }) };
};
