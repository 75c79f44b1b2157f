/** Options for a step that is carried out once, however often it is requested. */
export const doOnce = (step: string) => ({ idempotencyKey: `example world: ${step}` })
