import type { MiddlewareObj } from '@middy/core';
import type { Exchange } from './exchange.ts';
import type { Reply } from './reply.ts';

/** A step of the onion. */
export type Step = MiddlewareObj<Exchange, Reply, Error>;
