import type { MiddlewareObj } from '@middy/core';
import type { Exchange } from './exchange.ts';
import type { Reply } from './reply.ts';

/** A middleware of the request pipeline. */
export type Middleware = MiddlewareObj<Exchange, Reply, Error>;
