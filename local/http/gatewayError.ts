import { STATUS_CODES } from 'node:http';
import type { GatewayError } from '../../schemas/protocolProblems.ts';
import type { HttpReply } from './functionReply.ts';

/** Statuses of responses that an HTTP API sends itself. */
export type GatewayStatus = 400 | 404 | 413 | 429 | 431 | 500 | 503;

/** API Gateway's texts, where they differ from the reason phrases of HTTP. */
const MESSAGES: Partial<Record<GatewayStatus, string>> = { 413: 'Request Entity Too Large' };

/**
 * The response of API Gateway itself: no function ran, or its result was lost. It is no problem document and has no trace
 * id, so that clients meet both forms of errors before they run against AWS.
 */
export const gatewayError = (status: GatewayStatus, requestId: string): HttpReply => {
  const body: GatewayError = { message: MESSAGES[status] ?? STATUS_CODES[status] ?? '' };
  return {
    status,
    headers: { 'content-type': 'application/json', 'apigw-requestid': requestId },
    body: JSON.stringify(body),
  };
};
