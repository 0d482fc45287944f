import { isIP } from 'node:net';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/**
 * The address of the client, behind `proxies` proxies of the operator. Each of them, and the gateway, appends the address
 * that it was called from to `X-Forwarded-For`, so the address is that many places before the last one. What stands further
 * left was sent by the client, and nobody has checked it. Without proxies, or if the place holds no address, it is the
 * address of the connection, which cannot be chosen.
 */
export const clientAddressOf = (
  { headers, requestContext }: APIGatewayProxyEventV2,
  proxies: number,
): string => {
  const peer = requestContext.http.sourceIp;
  if (proxies === 0) return peer;
  const forwarded = (headers['x-forwarded-for'] ?? '').split(',').map((part) => part.trim());
  // A gateway that does not append its peer leaves the proxies one place short.
  const chain = forwarded.at(-1) === peer ? forwarded : [...forwarded, peer];
  const address = chain.at(-1 - proxies) ?? '';
  return isIP(address) === 0 ? peer : address;
};
