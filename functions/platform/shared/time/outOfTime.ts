/** Work was not started or not finished, because the time of the function is nearly over. It is repeated. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}
