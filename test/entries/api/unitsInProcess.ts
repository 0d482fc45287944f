import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { AwsAnswer } from '../../../functions/platform/shared/aws/calls/awsCalls.ts';
import { requestEvent } from '../../../local/http/requestEvent.ts';
import { createRouter } from '../../../local/http/router.ts';
import { routesOf } from '../../../schemas/routes/index.ts';
import { answeredKeysOf, type UnitName, units } from '../../../schemas/routes/route.ts';
import type { Request } from '../../support/client.ts';

type Handler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

/** They serve files that the build writes, and use no store. */
const FILE_UNITS: readonly UnitName[] = ['console', 'reference'];

export const isServedInProcess = (unit: UnitName): boolean => !FILE_UNITS.includes(unit);

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const DIGEST = Buffer.alloc(32, 7).toString('base64');
/** An ECDSA signature in DER with R = S = 1. */
const SIGNATURE = Buffer.from('3006020101020101', 'hex').toString('base64');

/** What the services other than DynamoDB answer. Others answer with an empty object. */
const ANSWERS: Readonly<Record<string, object>> = {
  'kms GenerateMac': { Mac: DIGEST },
  'kms GetPublicKey': { PublicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64') },
  'kms Sign': { Signature: SIGNATURE },
  'kms Encrypt': { CiphertextBlob: DIGEST },
  'sfn StartExecution': { executionArn: 'arn', startDate: 1 },
};

export const answerOf = (service: string, operation: string): AwsAnswer | undefined =>
  service === 'dynamodb'
    ? undefined
    : {
        statusCode: 200,
        headers: { 'content-type': service === 's3' ? 'application/xml' : 'application/x-amz-json-1.0' },
        body: Buffer.from(service === 's3' ? '' : JSON.stringify(ANSWERS[`${service} ${operation}`] ?? {})),
      };

export interface UnitResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** The handlers of all units over the tables of this process, without a gateway. Load it once in a process. */
export const loadUnits = async () => {
  const loaded = await Promise.all(
    units.filter(isServedInProcess).map(async (unit): Promise<[UnitName, Handler]> => {
      const { handler } = await import(`../../../functions/entries/api/${unit}.unit.ts`);
      return [unit, handler];
    }),
  );
  const handlers = new Map(loaded);
  const match = createRouter<Handler>(
    [...handlers].flatMap(([unit, target]) =>
      routesOf(unit).flatMap((route) => answeredKeysOf(route).map((key) => ({ routeKey: key, target }))),
    ),
  );

  /** `remainingMs`: the time that the function has for the request. */
  return async (path: string, request: Request, remainingMs = 10_000): Promise<UnitResponse> => {
    const { method = 'GET', key, body, idempotencyKey = randomUUID(), headers = {} } = request;
    const [rawPath = '', rawQuery = ''] = path.split('?');
    const found = match(method, rawPath);
    if (found === undefined) throw new Error(`no route for ${method} ${rawPath}`);
    const sent = {
      ...(key !== undefined && { 'x-api-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(method !== 'GET' && idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
      ...headers,
    };
    const received = {
      method,
      rawPath,
      rawQuery,
      rawHeaders: Object.entries(sent).flat(),
      body: Buffer.from(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)),
      sourceIp: '192.0.2.7',
      httpVersion: '1.1',
      host: '127.0.0.1:3000',
    };
    const requestId = randomUUID();
    const { routeKey, parameters, target } = found;
    const origin = { apiId: 'api', routeKey, parameters, requestId, epochMs: Date.now() };
    const deadline = Date.now() + remainingMs;
    // The cast assigns what the gateway of the local runtime makes.
    const event = requestEvent(received, origin) as APIGatewayProxyEventV2;
    const answer = await target(event, {
      awsRequestId: requestId,
      functionName: 'unit',
      getRemainingTimeInMillis: () => deadline - Date.now(),
    } as Context);
    return {
      status: answer.statusCode ?? 0,
      headers: answer.headers ?? {},
      text: answer.body ?? '',
    };
  };
};

export type SendToUnit = Awaited<ReturnType<typeof loadUnits>>;
