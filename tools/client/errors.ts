/** The service answered and refused; the identical request would be refused again. */
export class ServiceRefusal extends Error {
  override readonly name = 'ServiceRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Nothing usable came back, for longer than the caller is patient. What was sent may or may not have arrived. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable';
}

/** The caller gave up while a request waited for its next attempt. */
export class RequestAbandoned extends Error {
  override readonly name = 'RequestAbandoned';
}

/** One line about a fault, with the innermost cause: `fetch failed` alone says nothing. */
export const faultText = (fault: unknown): string => {
  if (!(fault instanceof Error)) return String(fault);
  if (fault.cause === undefined) return fault.message || fault.name;
  return `${fault.message}: ${faultText(fault.cause)}`;
};
