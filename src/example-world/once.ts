/** For a step that is done once, however often it is asked for. */
export const once = (step: string) => ({ idempotencyKey: `example world: ${step}` })
