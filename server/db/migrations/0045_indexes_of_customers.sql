CREATE INDEX "notification_reads_user" ON "notification_reads" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "product_alerts_user" ON "product_alerts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "reviews_user" ON "reviews" USING btree ("user_id");