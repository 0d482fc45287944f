import type { MiddlewareObj } from '@middy/core';
import type { Exchange } from './exchange.ts';
import type { Reply } from './reply.ts';

/** A step of the onion. */
export type Middleware = MiddlewareObj<Exchange, Reply, Error>;
