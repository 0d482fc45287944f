/** Lists the values of a union of the API in an order of our own. A value that is missing or unknown does not compile. */
export const listOf =
  <Value extends string>() =>
  <const Values extends readonly Value[]>(
    values: Values & ([Value] extends [Values[number]] ? unknown : never),
  ): Values =>
    values;
