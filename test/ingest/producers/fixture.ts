import type { Attributes } from '../otlp/messages.ts';

/** What one producer sends for one call, by the names in its source. */
export interface ProducerFixture {
  readonly producer: string;
  /** How the producer sends it. */
  readonly path: 'spans' | 'log events' | 'call logs';
  /** Where its names come from. */
  readonly source: string;
  readonly scope?: string;
  readonly resource?: Attributes;
  readonly kind?: number;
  readonly attributes?: Attributes;
  /** Of a path of call logs. */
  readonly row?: Readonly<Record<string, unknown>>;
  /** Members of the event that the call becomes. */
  readonly expect: Readonly<Record<string, unknown>>;
}
