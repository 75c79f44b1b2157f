/** For a step that is done once, however often it is asked for. */
export const doOnce = (step: string) => ({ idempotencyKey: `example world: ${step}` })
