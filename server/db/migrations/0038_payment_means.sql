ALTER TABLE "payments" ADD COLUMN "paid_with" jsonb;--> statement-breakpoint
ALTER TABLE "sandbox_payments" ADD COLUMN "paid_with" jsonb;