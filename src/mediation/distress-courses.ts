import type { DistressKind } from '../policy/signals/signals.js'

/**
 * What an app should do when a message shows distress. It names no number or service, because those differ from place
 * to place, and nothing of it reaches the partner.
 */
export const DISTRESS_COURSES: Readonly<Record<DistressKind, string>> = {
  self_harm:
    'Stop the exercise. Ask whether the person is safe right now, show the emergency number and a crisis line of the place where they are, and suggest that somebody they trust stays with them. Go on only when they wish to.',
  violence:
    'Stop the exercise, and do not bring the other person in. Ask whether the person is safe right now and whether somebody can see their screen, and show the emergency number and a service against violence of the place where they are. Mediation is not the right help while somebody is in danger.',
  overwhelmed:
    'Pause the exercise. Acknowledge what was said, ask nothing more, and offer a break or to stop for today. Show how to reach help of the place where the person is if it does not get better.',
}
